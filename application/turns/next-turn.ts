/** Lets the event loop have its turn: a database or vault in this process answers without one. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
