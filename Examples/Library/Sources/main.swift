import Aviary

await Library.main()
