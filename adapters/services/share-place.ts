/** How many servers use a connection, and how many of them come before this one: whole points that cannot be shared are the first ones'. */
export type SharePlace = Readonly<{ sharers: number; rank: number }>;
