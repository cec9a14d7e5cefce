select reason, day, count(*) as returns from {{ ref('stg_returns') }} group by 1, 2
