export const zoneText = { none: "No matching time zone. Try a continent or a city." };
