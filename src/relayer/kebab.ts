/** `depositConfirmed` is `deposit-confirmed` as a flag, a path and a word of a command. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
