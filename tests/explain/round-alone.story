# The thread goes round in a loop of its own and never comes to the store.
protocol tests/liveness/round_for_ever.lac
variant original

cell main sc
must goes round at line
