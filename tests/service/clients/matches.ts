// The matches that generated clients begin.
export const MATCHES = [
  {
    game: 'cite-lumiere' as const,
    players: [
      { seat: 'orange' as const, name: 'Ana' },
      { seat: 'blue' as const, name: 'Jan' },
    ],
    setup: {
      first: 'orange' as const,
      postcards: [
        'bouquinistes' as const,
        'chartier' as const,
        'jardin_des_plantes' as const,
        'lampadaire' as const,
        'le_peintre' as const,
        'levitation' as const,
        'metropolitain' as const,
        'sacre_coeur' as const,
      ],
    },
  },
  {
    game: 'paris' as const,
    players: [
      { seat: 'red' as const, name: 'Ana' },
      { seat: 'blue' as const, name: 'Jan' },
    ],
    setup: { advanced: false as const, variant: null },
  },
]
