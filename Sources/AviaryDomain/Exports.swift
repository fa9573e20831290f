// A module that imports the domain also needs its phrases and their translation.
@_exported public import AviaryLocalization
