"""Push messages are encrypted as RFC 8291 has it."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric import ec

from core.delivery.push import encrypt


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_example_of_the_standard_is_encrypted_to_the_same_bytes():
    """RFC 8291, section 5, with the intermediate values of its appendix A."""
    sender = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    receiver = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        decoded(receiver),
        decoded("BTBZMqHH6r4Tts7J_aSIgg"),
        sender,
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert body == decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
        "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
