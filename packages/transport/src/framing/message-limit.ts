/** The largest message that is accepted unless the caller says otherwise: 16 MiB, in bytes. */
export const defaultMaxMessageBytes = 16 * 1024 * 1024
