"""What all tests share: property tests that give the same cases every time, however slow the machine is."""

from hypothesis import HealthCheck, settings

settings.register_profile("croupier", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("croupier")
