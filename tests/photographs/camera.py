"""A page on a table, photographed: bent, tilted, lit unevenly, out of focus, grainy, and kept as JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

PAGE = (210.0, 297.0)
NODE = 3.0  # millimetres


@dataclass(frozen=True)
class Level:
    """How hard a picture is: the most of each thing, in degrees and millimetres; `pixels` in millions."""

    name: str
    tilt: float
    curl: float
    fold: float
    blur: float
    noise: float
    shade: float
    quality: tuple[int, int]
    pixels: tuple[float, float]
    coffee: float
    fills: tuple[float, float]


LEVELS = {
    level.name: level
    for level in (
        Level("easy", 15, 3, 2, 0.8, 2.5, 0.25, (80, 92), (6, 12), 0.1, (0.82, 0.95)),
        Level("normal", 28, 6, 5, 1.1, 4.5, 0.4, (70, 90), (5, 12), 0.3, (0.75, 0.95)),
        Level("hard", 40, 9, 7, 1.7, 8.0, 0.55, (60, 85), (3.5, 8), 0.5, (0.72, 0.92)),
    )
}


def photographed(page: np.ndarray, level: Level, random: Generator) -> bytes:
    """A JPEG of the page (grey, 0 to 255, ten pixels a millimetre)."""
    page = _soiled(page, level, random)
    million = random.uniform(*level.pixels)
    width, height = round((million * 1e6 * 0.75) ** 0.5), round((million * 1e6 / 0.75) ** 0.5)
    if random.random() < 0.3:
        width, height = height, width
    at, flat = _seen_from(width, height, level, random)
    across, down = _onto_page(at, flat, width, height)
    paper = cv2.remap(
        page, across * 10 - 0.5, down * 10 - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    inside = (across > 0) & (across < PAGE[0]) & (down > 0) & (down < PAGE[1])
    edge = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7)
    picture = paper * edge + _table(width, height, random) * (1 - edge)
    return _developed(_lit(picture, level, random), level, random)


def _soiled(page: np.ndarray, level: Level, random: Generator) -> np.ndarray:
    """Toner that is not quite black, a copy perhaps, and coffee."""
    page = 255 - (255 - page) * random.uniform(0.72, 0.98)
    if random.random() < 0.25:
        small = cv2.resize(page, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        page = cv2.resize(small, (page.shape[1], page.shape[0]), interpolation=cv2.INTER_LINEAR)
    page = page.astype(np.float32)
    if random.random() < level.coffee:
        middle = (int(random.integers(200, 1900)), int(random.integers(300, 2700)))
        ring = np.zeros(page.shape, np.float32)
        cv2.circle(
            ring, middle, int(random.integers(300, 420)), 1.0, int(random.integers(12, 40)), cv2.LINE_AA
        )
        ring = cv2.GaussianBlur(ring, (0, 0), 3)
        page = page * (1 - ring * random.uniform(0.08, 0.3))
    return page


def _seen_from(width: int, height: int, level: Level, random: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of the page's nodes, and the plane's homography from millimetres to pixels."""
    xs, ys = np.arange(-30, PAGE[0] + 31, NODE), np.arange(-30, PAGE[1] + 31, NODE)
    x, y = np.meshgrid(xs, ys)
    u, v = x / PAGE[0], y / PAGE[1]
    angle = random.uniform(0, np.pi)
    along = (u - 0.5) * np.cos(angle) + (v - 0.5) * np.sin(angle)
    z = random.uniform(-1, 1) * level.curl * (2 * along) ** 2
    z = z + random.uniform(-1, 1) * level.curl * 0.3 * np.sin(2.5 * np.pi * along + random.uniform(0, 6))
    if random.random() < 0.5:  # folded once, and laid open
        z = z + random.uniform(0, 1) * level.fold * np.maximum(0, 1 - np.abs(v - 0.5) / 0.25)
    points = np.stack([x - PAGE[0] / 2, y - PAGE[1] / 2, z], axis=-1).reshape(-1, 3)
    tilt, towards = np.radians(random.uniform(0, level.tilt)), random.uniform(0, 2 * np.pi)
    turn = random.choice([0, np.pi / 2, np.pi, -np.pi / 2], p=[0.6, 0.15, 0.15, 0.1]) + random.normal(0, 0.12)
    axis = np.array([np.cos(towards), np.sin(towards), 0.0])
    rotation = cv2.Rodrigues(axis * tilt)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
    away = np.array([0.0, 0.0, random.uniform(330, 480)])

    def through(places: np.ndarray) -> np.ndarray:
        there = places @ rotation.T + away
        return there[:, :2] / there[:, 2:]

    corners = np.array([[sx * PAGE[0] / 2, sy * PAGE[1] / 2, 0] for sx in (-1, 1) for sy in (-1, 1)])
    seen = through(corners)
    low, high = seen.min(axis=0), seen.max(axis=0)
    zoom = random.uniform(*level.fills) * min(np.array([width, height]) / (high - low))
    shift = np.array([width, height]) / 2 - zoom * (low + high) / 2
    shift = shift + random.uniform(-1, 1, 2) * 0.4 * (np.array([width, height]) - zoom * (high - low)) / 2
    plane = corners[:, :2] + np.array(PAGE) / 2
    flat = cv2.getPerspectiveTransform(plane.astype(np.float32), (seen * zoom + shift).astype(np.float32))
    return (through(points) * zoom + shift).reshape(len(ys), len(xs), 2), flat


def _onto_page(at: np.ndarray, flat: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Of every pixel the place on the page, in millimetres: the plane's, put right step by step by how it is bent."""
    back = np.linalg.inv(flat)
    nodes = cv2.perspectiveTransform(at.reshape(1, -1, 2), back).reshape(at.shape)
    ys, xs = np.mgrid[0 : at.shape[0], 0 : at.shape[1]]
    off = (nodes - np.stack([xs, ys], axis=-1) * NODE + 30).astype(np.float32)
    step = 8
    wide, high = width // step + 2, height // step + 2
    py, px = np.mgrid[0:high, 0:wide].astype(np.float64) * step
    plane = cv2.perspectiveTransform(np.stack([px, py], axis=-1).reshape(1, -1, 2), back).reshape(
        high, wide, 2
    )
    plane = plane.astype(np.float32)
    place = plane.copy()
    for _again in range(4):
        here = (place + 30) / NODE
        shift = [
            cv2.remap(np.ascontiguousarray(off[:, :, axis]), here[:, :, 0], here[:, :, 1], cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_REPLICATE)
            for axis in (0, 1)
        ]  # fmt: skip
        place = plane - np.stack(shift, axis=-1)
    onto = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
    how = {"flags": cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, "borderMode": cv2.BORDER_REPLICATE}
    across, down = (
        cv2.warpAffine(np.ascontiguousarray(place[:, :, axis]), onto, (width, height), **how)
        for axis in (0, 1)
    )
    return across, down


def _table(width: int, height: int, random: Generator) -> np.ndarray:
    """Wood, cloth, white, dark, or checked."""
    kind = random.integers(5)
    base = (110, 70, 215, 35, 140)[kind]
    rough = random.normal(0, (14, 6, 3, 3, 5)[kind], (height // 8 + 2, width // 8 + 2)).astype(np.float32)
    if kind == 0:
        rough = cv2.blur(rough, (25, 1))
    table = cv2.resize(rough, (width, height), interpolation=cv2.INTER_LINEAR) + base
    if kind == 4:
        y, x = np.mgrid[0:height, 0:width] // 90
        table += ((x + y) % 2 * 60).astype(np.float32)
    return np.clip(table, 5, 250).astype(np.float32)


def _lit(picture: np.ndarray, level: Level, random: Generator) -> np.ndarray:
    """A gradient, and a shadow or two with edges soft or hard."""
    height, width = picture.shape
    y, x = np.mgrid[0 : height // 8 + 1, 0 : width // 8 + 1].astype(np.float32)
    x, y = x * 8 / width - 0.5, y * 8 / height - 0.5
    towards = random.uniform(0, 2 * np.pi)
    light = 1 - random.uniform(0, level.shade) * (0.5 + x * np.cos(towards) + y * np.sin(towards))
    for _shadow in range(random.integers(0, 3)):
        angle, far = random.uniform(0, 2 * np.pi), random.uniform(-0.4, 0.4)
        side = (x * np.cos(angle) + y * np.sin(angle) - far) / random.uniform(0.004, 0.12)
        light = light * (1 - random.uniform(0, level.shade) / (1 + np.exp(-np.clip(side, -30, 30))))
    light = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    return picture * light * random.uniform(0.7, 1.0)


def _developed(picture: np.ndarray, level: Level, random: Generator) -> bytes:
    blur = random.uniform(0.4, level.blur) * max(picture.shape) / 3600
    picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), max(blur, 0.3))
    if random.random() < 0.3:  # moved
        long = int(random.integers(2, 3 + round(2 * level.blur)))
        way = np.zeros((long * 2 + 1, long * 2 + 1), np.float32)
        angle = random.uniform(0, np.pi)
        end = (round(long + long * np.cos(angle)), round(long + long * np.sin(angle)))
        cv2.line(way, (2 * long - end[0], 2 * long - end[1]), end, 1.0)
        picture = cv2.filter2D(picture, -1, way / way.sum())
    small = random.normal(0, random.uniform(0.5, level.noise), (picture.shape[0] // 2, picture.shape[1] // 2))
    picture += cv2.resize(small.astype(np.float32), (picture.shape[1], picture.shape[0]))
    if random.random() < 0.5:  # as phones do
        picture += random.uniform(0.2, 0.8) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.5))
    grey = np.clip(picture, 0, 255).astype(np.uint8)
    how = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(*level.quality))]
    return bytes(cv2.imencode(".jpg", grey, how)[1].tobytes())
