;;; faces.el --- What Emacs marks in texts  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs --batch -l lac-mode.el -l faces.el FILES-LIST
;; The lines are those of the example `marks'.

;;; Code:

(require 'lac-mode)
(require 'subr-x)

(defun faces-kind (face text)
  "What FACE says of TEXT."
  (pcase face
    ('font-lock-comment-face "Comment")
    ('font-lock-comment-delimiter-face "Comment")
    ('font-lock-string-face "Title")
    ('font-lock-keyword-face (if (member text lac-keywords) "Keyword"))
    ('font-lock-constant-face (cond ((member text lac-literals) "Keyword") ((string-match-p "\\`[0-9]+\\'" text) "Number")))))

(defun faces-of (file)
  "Print what is marked in FILE."
  (with-temp-buffer
    (insert-file-contents file)
    (lac-mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (while (not (eobp))
      (let* ((start (point)) (face (get-text-property start 'face))
             (end (min (next-single-property-change start 'face nil (point-max)) (line-end-position)))
             (kind-end (if (eq face 'font-lock-comment-delimiter-face) (line-end-position) end))
             (text (buffer-substring-no-properties start kind-end))
             (kind (faces-kind face text)))
        (when (and kind (not (string-blank-p text)))
          (princ (format "%s:%d %s %s\n" file (line-number-at-pos start) kind (string-trim-right text))))
        (goto-char (max (1+ start) kind-end))))))

(dolist (file (split-string (with-temp-buffer (insert-file-contents (pop command-line-args-left)) (buffer-string))))
  (faces-of file))

;;; faces.el ends here
