;;; lac-mode.el --- Protocols of Lacuna  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.1"))

;;; Commentary:

;; Highlighting and indentation of .lac files.
;; With eglot (Emacs 29), M-x eglot starts `lacuna lsp'.

;;; Code:

(defconst lac-keywords
  '(
    "use" "param" "flag" "const" "type" "enum" "word" "object" "heap" "cell" "abstract" "ghost"
    "register" "require" "proc" "thread" "scenario" "variant" "invariant" "guarantee" "forbid"
    "ltl" "cover" "expect" "transaction" "abort" "predicate" "work" "bucket" "releaser"
    "request" "perform" "let" "if" "else" "while" "loop" "each" "choose" "or" "atomic"
    "directly" "stop_the_world" "fence" "assert" "assume" "safepoint" "return" "break"
    "continue" "stop" "skip" "and" "not" "implies" "exists" "at" "bool")
  "The reserved words.")

(defconst lac-literals
  '(
    "true" "false" "null" "self")
  "Words that are values.")

(defconst lac-contextual
  '(
    "in" "with" "by" "holds" "violated" "default" "all" "of" "without" "union" "minus" "always"
    "eventually" "until" "weakly_until" "fairly" "then" "every")
  "Words that are keywords where the grammar expects them.")

(defconst lac-orders
  '(
    "relaxed" "acquire" "release" "acq_rel" "seq_cst" "full")
  "Memory orders and fences.")

(defconst lac-font-lock
  `((,(regexp-opt lac-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt lac-literals 'symbols) . font-lock-constant-face)
    (,(regexp-opt lac-contextual 'symbols) . font-lock-keyword-face)
    (,(regexp-opt lac-orders 'symbols) . font-lock-builtin-face)
    ("\\_<[0-9]+\\_>" . font-lock-constant-face)
    ("@[A-Za-z_][A-Za-z0-9_]*" . font-lock-preprocessor-face)
    ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-type-face))
  "What is highlighted besides comments and titles.")

(defvar lac-mode-syntax-table
  (let ((table (make-syntax-table)))
    ;; By default these are parts of names.
    (mapc (lambda (operator) (modify-syntax-entry operator "." table)) "=<>+-*&|%")
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Comments, titles and names.")

(defconst lac-continuation
  (rx (or "==" "!=" "<" ">" "+" "|" "&"
          (seq symbol-start (or "and" "or" "implies" "closes" "modifies" "ensures") symbol-end)))
  "What begins a line that continues the one before.")

(defun lac-indent-line ()
  "Indent a line by the braces around it."
  (interactive)
  (let* ((beginning (save-excursion (back-to-indentation) (point)))
         (is-at (lambda (pattern) (save-excursion (goto-char beginning) (looking-at pattern))))
         (depth (save-excursion (beginning-of-line) (car (syntax-ppss))))
         (change (cond ((funcall is-at "[]})]") -1) ((funcall is-at lac-continuation) 1) (t 0)))
         (column (* 4 (max 0 (+ depth change)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode lac-mode prog-mode "Lacuna"
  "A mode for protocols of concurrent garbage collectors."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(lac-font-lock))
  (setq-local indent-line-function #'lac-indent-line))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.lac\\'" . lac-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(lac-mode . ("lacuna" "lsp"))))

(provide 'lac-mode)
;;; lac-mode.el ends here
