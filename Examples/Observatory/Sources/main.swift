import Aviary

await Observatory.main()
