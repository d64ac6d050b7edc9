/** How many items a page of a list has if the caller does not say: few enough for a model to read. */
export const defaultPageSize = 20;
