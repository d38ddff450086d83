# Closed meshes of known form.
extends RefCounted


static func box(side: float) -> Mesh:
	var mesh := BoxMesh.new()
	mesh.size = Vector3.ONE * side
	return mesh


static func ball(radius: float) -> Mesh:
	var mesh := SphereMesh.new()
	mesh.radius = radius
	mesh.height = 2 * radius
	mesh.radial_segments = 32
	mesh.rings = 15
	return mesh


# A tube around a (2, 3) torus knot of radius 1, as an ArrayMesh.
static func knot(tube: float, along := 240, around := 16) -> ArrayMesh:
	var vertices := PackedVector3Array()
	var normals := PackedVector3Array()
	var indices := PackedInt32Array()
	for i in along:
		var at := _knot_at(TAU * i / along)
		var tangent := (_knot_at(TAU * (i + 0.5) / along) - _knot_at(TAU * (i - 0.5) / along)).normalized()
		var side := tangent.cross(at).normalized()
		var up := side.cross(tangent)
		for j in around:
			var angle := TAU * j / around
			var normal := side * cos(angle) + up * sin(angle)
			vertices.append(at + normal * tube)
			normals.append(normal)
			var next := (i + 1) % along * around
			var turn := (j + 1) % around
			# Clockwise seen from outside, as Godot has it.
			indices.append_array([i * around + j, i * around + turn, next + j, next + j, i * around + turn, next + turn])
	return array_mesh(vertices, normals, indices)


static func _knot_at(angle: float) -> Vector3:
	var radius := 1.0 + 0.45 * cos(3 * angle)
	return Vector3(radius * cos(2 * angle), 0.45 * sin(3 * angle), radius * sin(2 * angle))


static func array_mesh(vertices: PackedVector3Array, normals: PackedVector3Array, indices: PackedInt32Array) -> ArrayMesh:
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = vertices
	arrays[Mesh.ARRAY_NORMAL] = normals
	arrays[Mesh.ARRAY_INDEX] = indices
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh
