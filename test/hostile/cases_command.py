"""The program `hone`: hostile arguments, environments and .npy files. (No verb of it reads a .hone text.)"""
from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from case import Attempt, Case, Command, model, node, sound, value, written

LARGEST = "9223372036854775807"


def asked(*arguments: str, **environment: str) -> Callable[[Path], Attempt]:
    """MODEL among the arguments stands for the sound model's file, FOLDER for the case's folder."""
    def build(folder: Path) -> Attempt:
        path = str(written(folder, sound()))
        return Command([word.replace("MODEL", path).replace("FOLDER", str(folder)) for word in arguments], environment)
    return build


def arguments() -> Iterator[Case]:
    def case(name: str, words: Sequence[str], said: str, fault: str = "", **environment: str) -> Case:
        return Case("command", name, asked(*words, **environment), said, fault=fault)

    yield case("none", [], "subcommand|verb")
    yield case("unknown_verb", ["explode"], "explode|subcommand|verb")
    yield case("unknown_option", ["run", "MODEL", "--explode"], "explode")
    yield case("no_model", ["run"], "model")
    yield case("two_models", ["run", "MODEL", "MODEL"], "model|arguments")
    yield case("empty_model_name", ["run", ""], "there is no file ''")
    yield case("missing_model", ["run", "FOLDER/absent.onnx"], r"there is no file '.*absent\.onnx'")
    yield case("model_is_a_folder", ["run", "FOLDER"], "is a folder; a .onnx or .so file would work")
    yield case("model_is_a_device", ["run", "/dev/zero"], "'/dev/zero' is not a regular file")
    yield case("model_is_endless_noise", ["compile", "/dev/urandom", "-o", "FOLDER/m.so"], "'/dev/urandom' is not a regular file")
    yield case("very_long_argument", ["run", "x" * 5000], "there is no file 'xxx")
    yield case("argument_not_utf8", ["run", os.fsdecode(b"caf\xe9")], "there is no file 'caf")
    yield case("argument_with_braces", ["run", "{}{0}%s%n"], r"there is no file '\{\}\{0\}%s%n'")
    yield case("threads_zero", ["run", "MODEL", "--threads", "0"], "--threads.*0.*1 - 1024|threads")
    yield case("threads_negative", ["run", "MODEL", "--threads", "-1"], "threads")
    yield case("threads_huge", ["run", "MODEL", "--threads", "99999999999999999999"], "threads")
    yield case("threads_text", ["run", "MODEL", "--threads", "many"], "threads.*many|many")
    yield case("seed_negative", ["run", "MODEL", "--seed", "-1"], "seed")
    yield case("isa_unknown", ["run", "MODEL", "--isa", "mmx"], "unknown instruction set 'mmx': use avx512, avx2 or x86-64")
    yield case("skip_unknown", ["run", "MODEL", "--skip", "thinking"], "thinking")
    yield case("shape_without_name", ["run", "MODEL", "--shape", "hello"], "'hello' is no shape")
    yield case("shape_of_unknown_input", ["run", "MODEL", "--shape", "z:1x2"], "the model has no input 'z'")
    yield case("shape_negative", ["run", "MODEL", "--shape", "x:-1x2"], "'x:-1x2' is no shape")
    yield case("shape_overflows", ["run", "MODEL", "--shape", "x:99999999999999999999x2"], "is no shape")
    yield case("shape_largest", ["run", "MODEL", "--shape", f"x:{LARGEST}x2"], "input 'x'|memory")
    yield case("shape_terabytes", ["run", "MODEL", "--shape", "x:1000000000000x2"], "input 'x'|memory")
    yield case("shape_of_other_rank", ["run", "MODEL", "--shape", "x:1x2x3"], "input 'x' has 2 dimensions")
    yield case("shape_of_other_size", ["run", "MODEL", "--shape", "x:1x3"], "input 'x' must be.*dimension 1 must be 2")
    yield case("shape_trailing", ["run", "MODEL", "--shape", "x:1x"], "'x:1x' is no shape")
    yield case("shape_floats", ["run", "MODEL", "--shape", "x:1.5x2"], "'x:1.5x2' is no shape")
    yield case("input_without_name", ["run", "MODEL", "--input", "5"], "'5' names no input")
    yield case("input_of_unknown_name", ["run", "MODEL", "--input", "z=5"], "the model has no input 'z'")
    yield case("input_twice", ["run", "MODEL", "--input", "x=1", "--input", "x=2"], "input 'x' is given twice")
    yield case("input_missing_file", ["run", "MODEL", "--input", "x=FOLDER/absent.npy"], r"absent\.npy' cannot be read: No such file")
    yield case("input_is_a_folder", ["run", "MODEL", "--input", "x=FOLDER"], "case' cannot be (read|taken)")
    yield case("input_is_a_device", ["run", "MODEL", "--input", "x=/dev/zero"], "/dev/zero' cannot be (read|taken)")
    yield case("output_folder_is_a_file", ["run", "MODEL", "--output-dir", "MODEL"], "model.onnx")
    yield case("iterations_negative", ["bench", "MODEL", "--iterations", "-5"], "iterations")
    yield case("duration_negative", ["bench", "MODEL", "--duration", "-5"], "duration")
    yield case("duration_nan", ["bench", "MODEL", "--duration", "nan"], "duration")
    yield case("warm_up_text", ["bench", "MODEL", "--warmUp", "soon"], "warmUp")
    yield case("device_unknown", ["bench", "MODEL", "--device", "TOASTER", "--iterations", "1", "--warmUp", "0"], "TOASTER")
    yield case("library_in_no_folder", ["compile", "MODEL", "-o", "FOLDER/no/such/m.so"], r"no/such/m\.so")
    yield case("library_over_a_folder", ["compile", "MODEL", "-o", "FOLDER"], r"must be called \*\.so")
    yield case("inspect_of_nothing", ["inspect"], "model")
    yield case("verify_against_unknown", ["verify", "MODEL", "--against", "oracle"], "oracle|against")
    yield case("tolerance_negative", ["verify", "MODEL", "--atol", "-1"], "atol")
    yield case("isa_of_environment", ["run", "MODEL"], "mmx", HONE_ISA="mmx")
    yield case("threads_of_environment", ["run", "MODEL"], "HONE_NUM_THREADS", HONE_NUM_THREADS="-3")
    yield case("threads_of_environment_text", ["run", "MODEL"], "HONE_NUM_THREADS", HONE_NUM_THREADS="lots")


def output_names() -> Iterator[Case]:
    """Outputs are written as files of their names."""
    for title, name in (("climbs", "../../elsewhere/y"), ("absolute", "/hone_hostile_output"), ("nul", "y\0z"), ("empty_part", "a//b")):
        def build(folder: Path, name: str = name) -> Attempt:
            content = model([node("Relu", ["x"], [name])], [value("x", [2])], outputs=[name])
            (folder / "out").mkdir()
            return Command(["run", str(written(folder, content)), "--output-dir", str(folder / "out")])
        yield Case("output_names", title, build, "output|cannot be written|name", lambda outputs: None)


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"


def npy(header: str | bytes = HEADER, data: bytes = bytes(24), magic: bytes = b"\x93NUMPY\x01\x00", length: int | None = None) -> bytes:
    text = header.encode() if isinstance(header, str) else header
    return magic + struct.pack("<H", len(text) if length is None else length) + text + data


def arrays() -> Iterator[Case]:
    def case(name: str, content: bytes, said: str) -> Case:
        def build(folder: Path) -> Attempt:
            (folder / "x.npy").write_bytes(content)
            return Command(["run", str(written(folder, sound())), "--input", f"x={folder / 'x.npy'}"])
        return Case("npy", name, build, said)

    taken = r"x\.npy' cannot be taken: "
    yield case("empty", b"", taken + r"it is no \.npy file")
    yield case("text", b"1 2 3\n" * 10, taken + r"it is no \.npy file")
    yield case("magic_only", b"\x93NUMPY\x01\x00", taken + "it ends in its header")
    yield case("version_9", npy(magic=b"\x93NUMPY\x09\x00"), taken + "it has version 9 of the format")
    yield case("header_longer_than_file", npy(length=60_000), taken + "it ends in its header")
    yield case("header_of_4_gigabytes", b"\x93NUMPY\x02\x00" + b"\xff" * 4, taken + "its header takes 4294967295 bytes")
    yield case("header_not_closed", npy(HEADER[:-1]), taken + "its header has no")
    yield case("header_key_unknown", npy("{'color': 'red'}"), taken + "its header has the key 'color'")
    yield case("header_key_twice", npy("{'descr': '<f4', 'descr': '<f8'}"), taken + "its header has the key 'descr'")
    yield case("header_lacks_shape", npy("{'descr': '<f4', 'fortran_order': False}"), taken + "its header lacks")
    yield case("header_of_nothing", npy("{" * 5000), taken + "its header has no quoted text")
    yield case("shape_negative", npy(HEADER.replace("3", "-3")), taken + "its shape has no number")
    yield case("shape_overflows", npy(HEADER.replace("3", "9" * 30)), taken + "its shape is out of range")
    yield case("shape_product_wraps", npy(HEADER.replace("3, 2", "4611686018427387904, 4")),
               taken + "its shape .* does not go with the 24 bytes")
    yield case("shape_of_huge_rank", npy(HEADER.replace("3, 2", "1, " * 15_000 + "6"), b"\0" * 24), "rank|dimensions|does not")
    yield case("too_few_bytes", npy(data=bytes(20)), taken + r"its shape .*\[?3, ?2\]? of f32 does not go with the 20 bytes that follow")
    yield case("too_many_bytes", npy(data=bytes(28)), taken + "its shape .* does not go with the 28 bytes that follow")
    yield case("big_endian", npy(HEADER.replace("<f4", ">f4")), taken + "it is big-endian")
    yield case("column_major", npy(HEADER.replace("False", "True")), taken + "it is in Fortran order")
    yield case("order_unknown", npy(HEADER.replace("False", "Maybe")), taken + "its header says neither True nor False")
    yield case("type_unknown", npy(HEADER.replace("<f4", "<c8")), taken + "its type '<c8' is not known")
    yield case("type_objects", npy(HEADER.replace("<f4", "|O")), taken + "its type '|O' is not known".replace("|", r"\|"))
    yield case("type_records", npy(HEADER.replace("'<f4'", "[('a', '<f4')]")), taken + "it holds records")
    yield case("type_other", npy(HEADER.replace("<f4", "<f8"), bytes(48)), r"x\.npy' holds f64, but input 'x' is f32")
    yield case("shape_other", npy(HEADER.replace("3, 2", "2, 3")), "input 'x' must be.*dimension 1 must be 2")


def cases() -> Iterator[Case]:
    yield from arguments()
    yield from output_names()
    yield from arrays()
