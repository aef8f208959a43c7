"""The preparation process: read bodies and images from standard input, and write pages, chunks and images to standard output.

It has a low priority and a memory limit, opens no connection and no file but the tokenizer and tables in assets, and ends with its input.
"""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import select
import signal
import sys
from pathlib import Path
from typing import IO, Final

from app import caps
from app.errors import PreparationError, WebRAGError
from app.extract.pictures import read_picture
from app.ingest.prepared import Body, PictureBody, prepare_here
from app.ingest.worker_protocol import FrameError, write_frame
from app.memory import limit_arenas, release_free_memory
from app.text.sentence import sentence
from app.text.tokens import ChunkingLimits

log = logging.getLogger(__name__)

PREPARE_MEMORY_BYTES: Final = 1_024 * caps.MIB
"""How much the address space (on Windows: committed memory) of the separate process may grow, if the system can limit it."""
PREPARE_MARGIN_SECONDS: Final = 5.0  # An orphaned process ends this long after its time limit.
_OUT_OF_MEMORY: Final = 3
_PR_SET_PDEATHSIG: Final = 1


if sys.platform == "win32":
    from ctypes import wintypes

    EXTENDED_LIMITS = 9
    LIMIT_PROCESS_MEMORY = 0x100

    class _BasicLimits(ctypes.Structure):
        _fields_ = [
            ("process_time", wintypes.LARGE_INTEGER),
            ("job_time", wintypes.LARGE_INTEGER),
            ("flags", wintypes.DWORD),
            ("least_working_set", ctypes.c_size_t),
            ("most_working_set", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
        ]

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = [
            ("basic", _BasicLimits),
            ("transfers", ctypes.c_ulonglong * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        ]

    def limit_memory(most_bytes: int) -> bool:
        """Put this process into a job with this much committed memory; return False and log a warning if Windows refuses."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, wintypes.LPCWSTR]
        kernel.SetInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD]
        kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        limits = _ExtendedLimits()
        limits.basic.flags = LIMIT_PROCESS_MEMORY
        limits.process_memory = most_bytes
        # The job exists as long as its process; its handle is never closed.
        job = kernel.CreateJobObjectW(None, None)
        is_limited = bool(
            job
            and kernel.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
            and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        )
        if not is_limited:
            log.warning("could not limit the memory of this process: error %d", ctypes.get_last_error())
        return is_limited


def main() -> int:
    """Serve requests until the input ends and return the exit status."""
    # Input and output are reserved for frames: what a library prints is redirected to standard error, and its input is empty.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # A low priority, and one tokenizer thread, since each thread would reserve memory.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    limit_arenas()
    if sys.platform != "win32":
        os.nice(10)
    try:
        # On Linux, this process ends together with the thread that started it. Other systems let it finish its page first.
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            pipe = select.poll()
            pipe.register(requests, 0)
            if pipe.poll(0):
                raise FrameError("the program ended before")
        _serve(requests, answers)
    except (FrameError, BrokenPipeError):
        return 0
    return _OUT_OF_MEMORY


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests one after the other until one needs too much memory."""
    from app.ingest.worker_protocol import read_request

    counters: dict[str | None, ChunkingLimits] = {}
    # Further memory growth is limited, if the system supports it.
    if sys.platform == "linux":
        import resource

        mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        limit = mapped + PREPARE_MEMORY_BYTES
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard == resource.RLIM_INFINITY or hard > limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    elif sys.platform == "win32":
        import psutil

        limit_memory(psutil.Process().memory_info().pagefile + PREPARE_MEMORY_BYTES)
    has_memory = True
    while has_memory:
        request = read_request(requests, counters)
        # Ends the process from a thread that does not need the interpreter, if the program is gone or its signal is lost.
        faulthandler.dump_traceback_later(
            caps.PREPARE_SECONDS * caps.PREPARE_WALL_FACTOR + PREPARE_MARGIN_SECONDS, exit=True
        )
        has_memory = _answer(answers, request)
        faulthandler.cancel_dump_traceback_later()
        del request
        release_free_memory()


def _answer(answers: IO[bytes], request: tuple[Body, ChunkingLimits] | PictureBody) -> bool:
    """Answer one request; return False if the process ran out of memory and should end."""
    from app.ingest.worker_protocol import error_head, send_picture, send_prepared

    has_memory = True
    url = request.url if isinstance(request, PictureBody) else request[0].url
    try:
        if isinstance(request, PictureBody):
            send_picture(answers, read_picture(request.content, url))
        else:
            send_prepared(answers, prepare_here(*request))
        return has_memory
    except WebRAGError as error:
        failure = error
    except MemoryError:
        has_memory = False
        failure = PreparationError(sentence("Reading {} needs too much memory.", url), url=url)
    except OSError:
        raise
    except Exception as error:
        log.exception("preparing a page or image failed")
        failure = PreparationError(sentence("{} could not be read ({}).", url, type(error).__name__), url=url)
    write_frame(answers, error_head(failure))
    return has_memory


if __name__ == "__main__":
    sys.exit(main())
