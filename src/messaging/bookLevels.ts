/** Levels of each side of a book that are read, the most that a relayer gives. */
export const BOOK_LEVELS = 50;
