# The counter counts to 3 and ends; nobody is left who sets n back to 0.
protocol tests/liveness/words.lac
variant original

cell main sc
must nothing happens after step 3: every thread has ended
must only counter writes n .. and has ended
