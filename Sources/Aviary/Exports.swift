@_exported public import AviaryAdmin
@_exported public import AviaryCommands
@_exported public import AviaryDomain
@_exported public import AviaryLocalization
