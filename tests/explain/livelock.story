# Both raise their flag, see the other's, and lower it again, round after round: nobody goes in.
protocol tests/liveness/livelock.lac
variant original

cell main sc
must steps 1 to 6 repeat forever: polite[0] writes wants[0] .. polite[1] writes wants[1]
must wants[0] does not stay as it is: polite[0] wrote `true` to wants[0] (line 6) .. polite[0] wrote `false` to wants[0]
