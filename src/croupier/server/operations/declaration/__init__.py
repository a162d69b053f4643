"""Declaration of operations: `@operation`, the types of fields, and the registry of all that can be asked for."""
