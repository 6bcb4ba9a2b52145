"""Operations on parts of arrays inside a loop, as loops over their elements."""
