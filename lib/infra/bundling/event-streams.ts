/**
 * Replaces the event streams of the SDK (40 KB). Only operations that no Lambda uses answer with such streams, for example
 * SelectObjectContent. The clients load this module when they are made.
 */

/**
 * Returns the configuration of a client unchanged.
 *
 * @example
 * ```ts
 * resolveEventStreamSerdeConfig({ region: 'eu-central-1' }); // => { region: 'eu-central-1' }
 * ```
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/**
 * Returns no reader of event streams.
 *
 * @example
 * ```ts
 * eventStreamSerdeProvider(); // => null
 * ```
 */
export const eventStreamSerdeProvider = (): null => null;

/** The reader of event streams. An operation that needs it fails, because this is no constructor. */
export const EventStreamSerde = null;
