"""The register: clubs in unions and what each gives, transfers of members, a union's people, numbers and counts."""
