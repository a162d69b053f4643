"""The house under BFT consensus: every validator runs `house.execute`, and a threshold signature is the seed."""
