select event_id, reason, day from {{ source('raw', 'returns') }}
