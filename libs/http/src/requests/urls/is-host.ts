const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text is a host name or address with or without a port, as a `Host` header has it. */
export const isHost = (text: string): boolean => HOST.test(text);
