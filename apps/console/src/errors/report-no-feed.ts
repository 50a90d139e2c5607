/** A user without the feed of changes sees the page as it was read. */
export const reportNoFeed = (error: unknown): void => console.info('No feed of changes:', error);
