/**
 * Longest token symbol drawn, in characters; real ones have at most eleven. Symbols that are alike
 * so far are told apart by number.
 */
export const SYMBOL_LIMIT = 16;
