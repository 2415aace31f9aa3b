/** The events of server processes that concern the agents connected to other processes of this service. */
export const RELAYED_EVENTS = ['started', 'listChanged', 'resourceUpdated'] as const;
