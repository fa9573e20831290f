// Whoever knows the domain has the words for it.
@_exported public import AviaryLocalization
