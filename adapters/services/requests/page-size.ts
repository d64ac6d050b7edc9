/** How many items a page of a list has if the caller does not say: few enough for a model to read. */
export const defaultPageSize = 20;

/** How lists of tools describe the input that takes the position after a page; the instructions say what `next` is. */
export const pagingInLists = 'Paging: `next`';
