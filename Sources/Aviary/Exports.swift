@_exported public import AviaryDomain
@_exported public import AviaryLocalization
@_exported public import AviaryServer
