"""The curve of Ed25519, as in RFC 8032: for keys and signatures that no honest signer makes."""

from __future__ import annotations

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The y of a point of order 8: with its multiples, all the points whose order divides 8."""

Point = tuple[int, int]


def on_curve(y: int, sign_bit: int) -> Point:
    """Return the point with that y, and an x of that sign."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (x if x & 1 == sign_bit else P - x), y


def add(a: Point, b: Point) -> Point:
    """Return the sum of two points of the curve -x² + y² = 1 + d x² y², by the book."""
    t = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P
    return x, (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P


def times(number: int, point: Point) -> Point:
    """Return a point added to itself so many times."""
    found = (0, 1)
    while number:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found
