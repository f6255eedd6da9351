"""Redis as a cache that nobody has to wait for: while it is away, everything is worked out anew."""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
Found = TypeVar("Found")

# Seconds that it is not asked again for where it did not answer: each question may take a second to fail.
LEFT_ALONE = 3


def _or_else(instead: Any) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Return `instead` while Redis does not respond; if it is a function, its value for the same arguments."""

    def patient(method: Callable[..., Found]) -> Callable[..., Found]:
        @wraps(method)
        def asked(cache: "PatientRedisCache", *args: Any, **kwargs: Any) -> Found:
            if time.monotonic() >= cache.left_alone_until:
                try:
                    return method(cache, *args, **kwargs)
                except RedisError as error:
                    logger.warning("Redis does not answer: %s", type(error).__name__)
                    cache.left_alone_until = time.monotonic() + LEFT_ALONE
            answer: Found = instead(cache, *args, **kwargs) if callable(instead) else instead
            return answer

        return asked

    return patient


def _default(_cache: RedisCache, _key: str, default: Any = None, **_options: Any) -> Any:
    return default


class PatientRedisCache(RedisCache):
    """A cache that is empty and accepts nothing while Redis is away. No page fails because of it."""

    left_alone_until = 0.0

    get = _or_else(_default)(RedisCache.get)
    set = _or_else(None)(RedisCache.set)
    add = _or_else(True)(RedisCache.add)  # nobody else is known to have added it
    touch = _or_else(False)(RedisCache.touch)
    delete = _or_else(False)(RedisCache.delete)
    incr = _or_else(1)(RedisCache.incr)
    has_key = _or_else(False)(RedisCache.has_key)
    get_many = _or_else({})(RedisCache.get_many)
    set_many = _or_else([])(RedisCache.set_many)
    delete_many = _or_else(None)(RedisCache.delete_many)
    clear = _or_else(False)(RedisCache.clear)
