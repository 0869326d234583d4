# The thread passes the label and ends: in the end it is not there.
protocol tests/liveness/label_passed.lac
variant original

cell main sc
must nothing happens after step .. every thread has ended
must t is past line 8 and has ended
