/**
 * Replaces the event streams of the SDK (40 KB), in which only operations answer that no Lambda uses (SelectObjectContent and its like).
 * The clients ask for it when they are made.
 */

/**
 * The configuration of a client as it was.
 *
 * @example
 * ```ts
 * resolveEventStreamSerdeConfig({ region: 'eu-central-1' }); // => { region: 'eu-central-1' }
 * ```
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/**
 * Nothing that could read a stream of events.
 *
 * @example
 * ```ts
 * eventStreamSerdeProvider(); // => null
 * ```
 */
export const eventStreamSerdeProvider = (): null => null;

/** The reader of such an answer. An operation with such an answer fails, because this is no constructor. */
export const EventStreamSerde = null;
