CREATE TABLE films (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    year INTEGER NOT NULL,
    rating REAL
);
CREATE TABLE screenings (
    id INTEGER PRIMARY KEY,
    film_id INTEGER NOT NULL REFERENCES films(id),
    hall TEXT NOT NULL,
    day TEXT NOT NULL,
    sold INTEGER NOT NULL
);
INSERT INTO films VALUES
    (1, 'Metropolis', 1927, 8.3),
    (2, 'Rashomon', 1950, 8.2),
    (3, 'Playtime', 1967, 7.9),
    (4, 'Alien', 1979, 8.5),
    (5, 'Amélie', 2001, 8.3),
    (6, 'Parasite', 2019, 8.5),
    (7, 'Perfect Days', 2023, NULL);
INSERT INTO screenings VALUES
    (1, 1, 'North', '2026-05-01', 40),
    (2, 4, 'North', '2026-05-01', 112),
    (3, 4, 'South', '2026-05-02', 95),
    (4, 5, 'South', '2026-05-02', 61),
    (5, 6, 'North', '2026-05-03', 140),
    (6, 6, 'South', '2026-05-04', 88),
    (7, 6, 'South', '2026-05-05', 73),
    (8, 2, 'North', '2026-05-05', 0);
