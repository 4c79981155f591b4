"""The processor this process runs on, and the one that the other modules here were compiled for."""

cdef extern from "cpu.h" nogil:
    int cpu_level() noexcept
    const int BANQI_ISA_LEVEL

needed: int = BANQI_ISA_LEVEL
present: int = cpu_level()
