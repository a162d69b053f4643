"""How operations are declared: `@operation`, the types of fields, and the registry of all that can be asked for."""
