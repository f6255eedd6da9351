"""A Redis cache that never blocks: while the server is down, every read is a miss."""

import logging
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)
Found = TypeVar("Found")

# Seconds between two retries of a process where Redis does not respond, and its timeout, short since it is near.
TRY_EVERY, ANSWERED_WITHIN = 1.0, 0.25


class CircuitBreaker:
    """Whether to query Redis: after a failure one thread of this process retries once a second, the others do not."""

    def __init__(self, try_every: float = TRY_EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self.try_every, self.clock = try_every, clock
        self.lock = threading.Lock()
        self.is_open = False
        self.next_try = 0.0

    def allows(self) -> bool:
        """Whether to ask now; for one caller a second while it is open."""
        if not self.is_open:
            return True
        with self.lock:
            if self.clock() < self.next_try:
                return False
            self.next_try = self.clock() + self.try_every
            return True

    def failed(self, error: Exception) -> None:
        with self.lock:
            if not self.is_open:
                logger.warning("Redis is not answering: %s", type(error).__name__)
            self.is_open, self.next_try = True, self.clock() + self.try_every

    def worked(self) -> None:
        if self.is_open:
            logger.warning("Redis is answering again")
            self.is_open = False


# One for each address, for all caches and threads of this process.
_breakers: dict[str, CircuitBreaker] = {}


def _or_else(instead: Any) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Return `instead` while Redis does not respond; if it is a function, its value for the same arguments."""

    def patient(method: Callable[..., Found]) -> Callable[..., Found]:
        @wraps(method)
        def wrapper(cache: "PatientRedisCache", *args: Any, **kwargs: Any) -> Found:
            breaker = cache.breaker
            if breaker.allows():
                try:
                    answer = method(cache, *args, **kwargs)
                except RedisError as error:
                    breaker.failed(error)
                else:
                    breaker.worked()
                    return answer
            other: Found = instead(cache, *args, **kwargs) if callable(instead) else instead
            return other

        return wrapper

    return patient


def _default(_cache: RedisCache, _key: str, default: Any = None, **_options: Any) -> Any:
    return default


class PatientRedisCache(RedisCache):
    """A cache that is empty and accepts nothing while Redis is away. No page fails because of it."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        # The library would try again for seconds by itself.
        waits = {"socket_connect_timeout": ANSWERED_WITHIN, "socket_timeout": ANSWERED_WITHIN}
        options = waits | {"retry": Retry(NoBackoff(), 0)} | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self.breaker = _breakers.setdefault(str(server), CircuitBreaker())

    get = _or_else(_default)(RedisCache.get)
    set = _or_else(None)(RedisCache.set)
    add = _or_else(True)(RedisCache.add)  # no other process is known to have added it
    touch = _or_else(False)(RedisCache.touch)
    delete = _or_else(False)(RedisCache.delete)
    incr = _or_else(1)(RedisCache.incr)
    has_key = _or_else(False)(RedisCache.has_key)
    get_many = _or_else({})(RedisCache.get_many)
    set_many = _or_else([])(RedisCache.set_many)
    delete_many = _or_else(None)(RedisCache.delete_many)
    clear = _or_else(False)(RedisCache.clear)

    @_or_else(None)
    def publish(self, channel: str, message: str) -> None:
        """Publish a message to all listeners of a channel."""
        client: RedisCacheClient = self._cache
        client.get_client(write=True).publish(channel, message)

    def listener(self, channel: str) -> PubSub:
        """Subscribe to a channel; yields what is published there. Raises `RedisError`."""
        client: RedisCacheClient = self._cache
        listening: PubSub = client.get_client().pubsub()
        listening.subscribe(channel)
        return listening
