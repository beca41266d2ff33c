/** Sentences about choosing a time zone. */
export const zoneText = { none: "No such time zone: try a continent or a city." };
