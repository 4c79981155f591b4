# How long work without the GIL is interrupted: now and then it lets Python run its signal handlers, and stops when
# one of them raises.

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef double SIGNAL_INTERVAL = 0.02


cdef struct Watch:
    # When to look again, on clock_now(), and what a signal handler raised (a reference, or NULL).
    double due
    PyObject* raised


cdef Watch new_watch():
    """Handlers run in the main thread only. Others must not ask for the GIL: the interpreter may end under them."""
    cdef Watch watch
    watch.due = 0 if threading.current_thread() is threading.main_thread() else INFINITY
    watch.raised = NULL
    return watch


cdef void watch_signals(Watch* watch) noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        Py_INCREF(error)
        watch.raised = <PyObject*>error


cdef bint interrupted(Watch* watch, double now) noexcept nogil:
    """Whether a signal handler raised. Takes the GIL at most every SIGNAL_INTERVAL seconds."""
    if watch.raised == NULL and now >= watch.due:
        watch_signals(watch)
        watch.due = now + SIGNAL_INTERVAL
    return watch.raised != NULL


cdef int raise_interrupt(Watch* watch) except -1:
    """Raises in the caller what a signal handler raised during the work, if any did."""
    if watch.raised != NULL:
        error = <object>watch.raised
        watch.raised = NULL
        Py_DECREF(error)
        raise error
    return 0
