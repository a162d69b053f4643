"""The house under BFT consensus: every validator runs `house.execute`, seeded by a threshold signature."""
