"""The addresses by which other devices in the network reach this machine."""

import socket
import struct
from contextlib import suppress
from fcntl import ioctl
from ipaddress import IPv4Address, ip_address

ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
SIOCGIFADDR = 0x8915
"""Linux's request for the address of an interface."""
OUTSIDE = ("198.51.100.1", "2001:db8::1")
"""Addresses for documentation. Nothing is sent: the system only says from where it would send."""


def interface_addresses() -> tuple[str, ...]:
    """The IP addresses of the interfaces, that of the default route first, IPv4 before IPv6."""
    by_route = [_source_address(outside) for outside in OUTSIDE]
    addresses = dict.fromkeys([*by_route, *(_address_of(name) for _, name in socket.if_nameindex())])
    reachable = [address for address in addresses if address and _is_reachable(address)]
    return tuple(sorted(reachable, key=lambda address: not isinstance(ip_address(address), IPv4Address)))


def machine_names() -> frozenset[str]:
    """The names and addresses in `Host` that mean this machine."""
    name = socket.gethostname().lower()
    return frozenset({*interface_addresses(), name, f"{name}.local"})


def in_url(host: str) -> str:
    """A host in the notation of URLs."""
    return f"[{host}]" if ":" in host else host


def _address_of(interface: str) -> str | None:
    """The IPv4 address of an interface, on Linux."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        answer = ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", interface.encode()[:15]))
        return socket.inet_ntoa(answer[20:24])
    return None


def _source_address(outside: str) -> str | None:
    """The address from which the system would send to another address."""
    family = socket.AF_INET6 if ":" in outside else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((outside, 9))
        return str(probe.getsockname()[0])
    return None


def _is_reachable(address: str) -> bool:
    parsed = ip_address(address.partition("%")[0])
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)
