"""Weights in files beside the model: places that lead elsewhere, files that are none, ranges that are not there."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from case import Attempt, Case, Open, opened, sound, written
from onnx import TensorProto

OUTSIDE = "must be a relative path inside the model's folder"
LEADS_OUT = "leads outside the model's folder"
NAMED = r"initializer: external data '{}' {}.*\(1 node: 'w'\)"


def refers(entries: list[tuple[str, str]], dims: list[int] | None = None) -> bytes:
    """The sound model, its weights in a file: w has 8 bytes unless the dims are others."""
    model = sound()
    weights = model.graph.initializer[0]
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    if dims is not None:
        weights.dims[:] = dims
    for key, text in entries:
        entry = weights.external_data.add()
        entry.key, entry.value = key, text
    return model.SerializeToString()


def at(location: str, prepare: Callable[[Path], None] = lambda folder: None) -> Callable[[Path], Attempt]:
    def build(folder: Path) -> Attempt:
        prepare(folder)
        return Open(written(folder, refers([("location", location.replace("OUTSIDE", str(folder.parent / "outside")))])))
    return build


def inside(*entries: tuple[str, str], dims: list[int] | None = None) -> Callable[[Path], Attempt]:
    """Data in a file of 12 bytes inside the folder."""
    def build(folder: Path) -> Attempt:
        (folder / "w.bin").write_bytes(bytes(12))
        return Open(written(folder, refers([("location", "w.bin"), *entries], dims)))
    return build


def file_link(folder: Path) -> None:
    (folder / "link.bin").symlink_to("../outside/secret.bin")


def folder_link(folder: Path) -> None:
    (folder / "sub").symlink_to(folder.parent / "outside")


def link_to_link(folder: Path) -> None:
    (folder / "second").symlink_to(folder.parent / "outside" / "secret.bin")
    (folder / "first").symlink_to("second")


def loop_of_links(folder: Path) -> None:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")


def hard_link(folder: Path) -> None:
    os.link(folder.parent / "outside" / "secret.bin", folder / "hard.bin")


def device_link(folder: Path) -> None:
    (folder / "zero").symlink_to("/dev/zero")


def unreadable(folder: Path) -> None:
    (folder / "closed.bin").write_bytes(bytes(8))
    (folder / "closed.bin").chmod(0)


def twin_folder(folder: Path) -> None:
    """A folder whose path begins with the model folder's: only a comparison of whole names tells them apart."""
    twin = folder.parent / (folder.name + "_twin")
    twin.mkdir()
    (twin / "w.bin").write_bytes(bytes(8))
    (folder / "twin.bin").symlink_to(twin / "w.bin")


def sparse(folder: Path) -> Attempt:
    """64 GB of weights in a file that takes no room."""
    (folder / "w.bin").touch()
    os.truncate(folder / "w.bin", 64 << 30)
    return Open(written(folder, refers([("location", "w.bin")], [8 << 30, 2])))


def places() -> Iterator[Case]:
    def case(name: str, location: str, said: str, prepare: Callable[[Path], None] = lambda folder: None) -> Case:
        pattern = NAMED.format(location.replace("OUTSIDE", ".*outside").replace("+", r"\+"), said)
        return Case("external", name, at(location, prepare), pattern)

    yield case("climbs", "../outside/secret.bin", OUTSIDE)
    yield case("climbs_later", "sub/../../outside/secret.bin", OUTSIDE)
    yield case("climbs_and_comes_back", "../case/w.bin", OUTSIDE)
    yield case("climbs_behind_dots", "././../outside/secret.bin", OUTSIDE)
    yield case("absolute", "OUTSIDE/secret.bin", OUTSIDE)
    yield case("absolute_with_two_slashes", "//OUTSIDE/secret.bin", OUTSIDE)
    yield case("process_memory", "/proc/self/mem", OUTSIDE)
    yield case("percent_encoded", "%2e%2e/outside/secret.bin", "cannot be opened: No such file")
    yield case("file_scheme", "file://OUTSIDE/secret.bin", "cannot be opened: No such file")
    yield case("link_out", "link.bin", LEADS_OUT, file_link)
    yield case("parent_is_link_out", "sub/secret.bin", LEADS_OUT, folder_link)
    yield case("link_to_link_out", "first", LEADS_OUT, link_to_link)
    yield case("link_to_folder_with_same_beginning", "twin.bin", LEADS_OUT, twin_folder)
    yield case("links_in_a_circle", "a", "cannot be opened: Too many levels of symbolic links", loop_of_links)
    yield case("hard_link", "hard.bin", "is a hard link", hard_link)
    yield case("link_to_device", "zero", LEADS_OUT, device_link)
    yield case("pipe", "pipe", "is not a regular file", lambda folder: os.mkfifo(folder / "pipe"))
    yield case("folder", "sub", "is not a regular file", lambda folder: (folder / "sub").mkdir())
    yield case("model_folder_itself", ".", "is not a regular file")
    yield case("missing", "absent.bin", "cannot be opened: No such file")
    yield case("file_as_folder", "model.onnx/w.bin", "cannot be opened: Not a directory")
    yield Case("external", "very_long", at("x" * 5000), r"external data 'x+… \(4800 bytes more\)' cannot be opened: File name too long")
    yield case("empty_file", "none.bin", "has 0 bytes, bytes 0 to 8 are needed", lambda folder: (folder / "none.bin").touch())
    if os.geteuid() != 0:  # root reads all files
        yield case("unreadable", "closed.bin", "cannot be opened: Permission denied", unreadable)


def ranges() -> Iterator[Case]:
    def case(name: str, said: str, *entries: tuple[str, str], dims: list[int] | None = None) -> Case:
        return Case("external", name, inside(*entries, dims=dims), rf"initializer: {said}.*\(1 node: 'w'\)")

    yield case("offset_beyond", r"external data 'w.bin' has 12 bytes, bytes 8 to 16 are needed", ("offset", "8"))
    yield case("offset_far_beyond", r"external data 'w.bin' has 12 bytes, bytes 9000000 to", ("offset", "9000000"))
    yield case("offset_negative", r"external data has offset '-4', which is not", ("offset", "-4"))
    yield case("offset_plus", r"external data has offset '\+4', which is not", ("offset", "+4"))
    yield case("offset_largest", r"external data 'w.bin' has 12 bytes, bytes 18446744073709551615 to .* are needed",
               ("offset", "18446744073709551615"))
    yield case("offset_too_large", r"external data has offset '18446744073709551616', which is not", ("offset", "18446744073709551616"))
    yield case("offset_hexadecimal", r"external data has offset '0x4', which is not", ("offset", "0x4"))
    yield case("offset_empty", r"external data has offset '', which is not", ("offset", ""))
    yield case("offset_spaced", r"external data has offset ' 4', which is not", ("offset", " 4"))
    yield case("length_small", r"external data 'w.bin' states 4 bytes, its type needs 8", ("length", "4"))
    yield case("length_large", r"external data 'w.bin' states 12 bytes, its type needs 8", ("length", "12"))
    yield case("length_negative", r"external data has length '-8', which is not", ("length", "-8"))
    yield case("length_overflows", r"external data has length '99999999999999999999', which is not", ("length", "9" * 20))
    yield case("sum_overflows", r"external data 'w.bin' has 12 bytes", ("offset", "18446744073709551608"), ("length", "8"))
    yield case("shape_larger_than_file", r"external data 'w.bin' has 12 bytes, bytes 0 to 4000000000 are", dims=[10**9])
    yield case("shape_overflows", "has more elements than memory can hold", dims=[2**40, 2**40])
    yield Case("external", "sparse_and_huge", sparse, r"initializer: external data 'w.bin' cannot be mapped into memory.*'w'|out of memory|more elements than memory can hold")
    yield case("two_offsets", r"external data .*offset", ("offset", "0"), ("offset", "4"))
    yield Case("external", "no_location", opened(refers([("offset", "0")])), r"external data names no location \(1 node: 'w'\)")
    yield Case("external", "no_folder", lambda folder: Open(refers([("location", "w.bin")])),
               r"external data 'w.bin' needs the model's folder.*\(1 node: 'w'\)")
    yield Case("external", "location_with_nul", at("w.bin\0/../../secret"), r"external data 'w\.bin.*\(1 node: 'w'\)")


def cases() -> Iterator[Case]:
    yield from places()
    yield from ranges()
