// What the scripts are held to besides their types; `make js` runs it from the repository's root.

import js from "@eslint/js";
import globals from "globals";

// Each is a mistake that has been made somewhere, not a matter of taste.
const RULES = {
  ...js.configs.recommended.rules,
  "array-callback-return": ["error", { allowImplicit: false, checkForEach: false }],
  "block-scoped-var": "error",
  "consistent-return": "error",
  curly: ["error", "multi-line"],
  "default-case-last": "error",
  eqeqeq: "error",
  "guard-for-in": "error",
  "no-alert": "error",
  "no-caller": "error",
  "no-constructor-return": "error",
  "no-duplicate-imports": "error",
  "no-else-return": "error",
  "no-eval": "error",
  "no-extend-native": "error",
  "no-implicit-coercion": "error",
  "no-implicit-globals": "error",
  "no-implied-eval": "error",
  "no-new": "error",
  "no-new-func": "error",
  "no-new-wrappers": "error",
  "no-promise-executor-return": "error",
  "no-return-assign": "error",
  "no-self-compare": "error",
  "no-sequences": "error",
  "no-shadow": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-undef-init": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable-loop": "error",
  "no-unused-expressions": "error",
  "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_" }],
  "no-use-before-define": ["error", { functions: false, classes: false }],
  "no-useless-assignment": "error",
  "no-useless-concat": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-promise-reject-errors": "error",
  "prefer-template": "error",
  radix: "error",
  yoda: "error",
};

// What phones of that year understand: a newer word, and an older phone has no page at all. tsconfig.json says the same.
const OLDEST = 2020;

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["static/js/**/*.js"], languageOptions: { ecmaVersion: OLDEST, globals: globals.browser }, rules: RULES },
  { files: ["static/js/captain/worker.js", "static/js/phone_worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/js/*.js"], rules: RULES },
  // Functions that a test runs in a page: their value is all there is.
  { files: ["tests/browser/*.js"], languageOptions: { globals: globals.browser }, rules: { ...RULES, "no-unused-expressions": "off" } },
];
