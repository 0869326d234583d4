" Indentation and comments of Lacuna's protocols.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal expandtab shiftwidth=4 softtabstop=4 smartindent
setlocal comments=:///,://!,:// commentstring=//\ %s
let b:undo_ftplugin = "setlocal expandtab< shiftwidth< softtabstop< smartindent< comments< commentstring<"
