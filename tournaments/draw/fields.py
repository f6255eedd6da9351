"""Counting in finite fields: the arithmetic behind the best plans for 4, 5, 7, 8, 9, 11, 13, 16 … tables.

In a field one can add, subtract, multiply and divide by anything but zero. The whole numbers modulo a prime
are one; for a power of a prime, elements are polynomials with coefficients modulo the prime, multiplied
modulo a polynomial that has no factors. An element is written as the number whose digits in base p are the
coefficients.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True)
class Field:
    """A field's addition and multiplication tables, elements 0 to size - 1."""

    size: int
    plus: tuple[tuple[int, ...], ...]
    times: tuple[tuple[int, ...], ...]


@cache
def field_of(size: int) -> Field | None:
    """Return the field with this many elements, or None where there is none (size not a power of a prime)."""
    prime, power = _prime_power(size)
    if not power:
        return None
    digits = [_digits(element, prime, power) for element in range(size)]
    modulus = _irreducible(prime, power)
    elements = range(size)
    plus = tuple(
        tuple(
            _number([(x + y) % prime for x, y in zip(digits[a], digits[b], strict=True)], prime)
            for b in elements
        )
        for a in elements
    )
    times = tuple(
        tuple(_number(_product(digits[a], digits[b], modulus, prime), prime) for b in elements)
        for a in elements
    )
    return Field(size, plus, times)


def _prime_power(size: int) -> tuple[int, int]:
    """Return (p, k) with p^k = size, or (0, 0)."""
    prime = next((p for p in range(2, size + 1) if size % p == 0), 0)
    power = 0
    while prime and size % prime == 0:
        size //= prime
        power += 1
    return (prime, power) if size == 1 and power else (0, 0)


def _digits(number: int, base: int, length: int) -> list[int]:
    return [number // base**place % base for place in range(length)]


def _number(digits: list[int], base: int) -> int:
    return sum(digit * base**place for place, digit in enumerate(digits))


def _irreducible(prime: int, power: int) -> list[int]:
    """Return the first monic polynomial of this degree without factors, lowest digit first."""
    composite = set()
    for degree in range(1, power // 2 + 1):
        for low in product(range(prime), repeat=degree):
            for high in product(range(prime), repeat=power - degree):
                composite.add(tuple(_multiply([*low, 1], [*high, 1], prime)))
    return next([*tail, 1] for tail in product(range(prime), repeat=power) if (*tail, 1) not in composite)


def _multiply(a: list[int], b: list[int], prime: int) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] = (result[i + j] + x * y) % prime
    return result


def _product(a: list[int], b: list[int], modulus: list[int], prime: int) -> list[int]:
    """Return a * b modulo a monic polynomial."""
    result = _multiply(a, b, prime)
    degree = len(modulus) - 1
    for place in range(len(result) - 1, degree - 1, -1):
        factor = result[place]
        for offset, digit in enumerate(modulus):
            result[place - degree + offset] = (result[place - degree + offset] - factor * digit) % prime
    return result[:degree]
