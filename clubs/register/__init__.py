"""The register: what binds clubs together. Which clubs belong to which unions, and what each gives its union."""
