SELECT count(id) FROM products
SELECT id, name, country FROM customers WHERE country = 'France'
SELECT p.name, p.id FROM products p WHERE p.stock < 1
SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id
SELECT count(*), country FROM customers GROUP BY country HAVING count(*) > 1
SELECT p.name, sum(i.quantity) FROM products p LEFT JOIN order_items i ON i.product_id = p.id GROUP BY p.name
SELECT name FROM products WHERE category_id = 4 ORDER BY price
SELECT city FROM customers WHERE city IS NOT NULL
SELECT round(avg(weight_kg), 2) FROM products
SELECT count(*) FROM products WHERE weight_kg = NULL
SELECT o.id, coalesce(e.name, 'web') FROM orders o LEFT JOIN employees e ON e.id = o.employee_id
SELECT c.name, count(*) FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.name
SELECT CAST(sku AS INTEGER) FROM products WHERE name = 'Desk lamp'
SELECT name FROM products WHERE price > avg(price)
SELECT name FROM customers WHERE id NOT (SELECT customer_id FROM orders)
SELECT count(*) FROM ratings WHERE stars = 5
SELECT name, hire_date FROM employees WHERE role = 'sales'
SELECT date_trunc('month', ordered_on), count(*) FROM orders WHERE ordered_on LIKE '2025-%' GROUP BY 1
SELECT name, name FROM reviews r JOIN customers c ON c.id = r.customer_id JOIN products p ON p.id = r.product_id
DELETE FROM orders WHERE status = 'cancelled'
SELECT min(salary) FROM employees; SELECT max(salary) FROM employees
WITH RECURSIVE t AS (SELECT name, 0 AS level FROM employees UNION ALL SELECT name, level + 1 FROM t) SELECT name, max(level) FROM t GROUP BY name
SELECT p.name FROM products p, order_items a, order_items b, order_items c WHERE p.name <> 'Hand grinder'
SELECT name || replace(hex(zeroblob(500000000)), '0', ' ') FROM products

SELECT order_id, quantity * unit_price * 0.19 FROM order_items
SELECT id FROM reviews WHERE json_extract(body, '$.text') LIKE '%leaks%'
SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((count(*))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) FROM orders WHERE employee_id IS NULL
SELECT CAST(substr(CAST(city AS BLOB), 1, 2) AS TEXT) FROM customers WHERE city IS NOT NULL
SELECT name FROM customers WHERE country = 'Gift card'
SELECT product_id FROM reviews WHERE stars = 5 UNION SELECT product_id FROM reviews WHERE stars < 5
SELECT name FROM products ORDER BY price DESC LIMIT 1
SELECT id FROM orders WHERE ordered_on >= date('now', '-30 days')
SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name
SELECT title FROM books WHERE author_id = 1
SELECT name FROM authors WHERE id NOT IN (SELECT author_id FROM books WHERE id NOT IN (SELECT book_id FROM loans))
SELECT b.title, count(*) FROM books b JOIN loans l ON l.book_id = b.id GROUP BY b.id ORDER BY count(*) DESC, b.title
SELECT id, book_id, member_id, lent_on, returned_on FROM loans WHERE returned_on IS NULL
SELECT CAST(avg(julianday(returned_on) - julianday(lent_on)) AS INTEGER) FROM loans WHERE returned_on IS NOT NULL
SELECT street FROM members WHERE street IS NOT NULL UNION ALL SELECT country FROM authors WHERE country IS NOT NULL
